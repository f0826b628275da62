-- From which network address a family of tokens was begun: an address that signed in to an account
-- is not kept from it while others guess its password. See docs/access.md, Sign-in.
alter table refresh_token add column address text;
create index refresh_token_account on refresh_token (account_id, address);
