-- Ended sessions are found without reading the others.
create index login_session_revoked on login_session (revoked_time) where revoked_time is not null;
create index refresh_family_expires on refresh_family (expires_time);
