-- How long a hosted project lets a request take, by who asks. A role without a limit of its own has that
-- of the role that logs in.
alter role anon set statement_timeout = '3s';
alter role authenticated set statement_timeout = '8s';
alter role authenticator set statement_timeout = '8s';
alter role authenticator set lock_timeout = '8s';
