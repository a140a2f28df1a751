-- The only account that sees the reaction, if it is withheld from the other account of a one-to-one chat; null otherwise.
alter table reaction add column only_for bigint;
