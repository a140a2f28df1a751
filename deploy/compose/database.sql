-- The role and the database of Sealpost. The first node of the highly available database runs this once.
\set ON_ERROR_STOP on
\getenv password SEALPOST_DATABASE_PASSWORD
create role sealpost login password :'password';
create database sealpost owner sealpost encoding 'UTF8' template template0;
