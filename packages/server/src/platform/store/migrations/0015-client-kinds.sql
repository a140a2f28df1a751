-- A certificate is bound to the account and the kind of client, no longer to the name that a device gives itself. Of what
-- kind the clients were that hold the older ones is not known: they are good for any, until they are shown once.
update certificate set client_type = '';
