-- A certificate is bound to the account and the kind of client, and no longer to the device name that a client chooses.
-- For older certificates, the kind of client is not known. They are valid for any kind until they are used for the
-- first time.
update certificate set client_type = '';
