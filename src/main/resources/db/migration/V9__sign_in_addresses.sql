-- From which network addresses somebody signed in to an account, by whatever door: such an address is
-- not kept from it while others guess its password. See docs/access.md, Sign-in.
create table sign_in_address (
  account_id uuid        not null references account (id) on delete cascade,
  address    text        not null,
  expires_at timestamptz not null,
  primary key (account_id, address)
);
create index sign_in_address_expiry on sign_in_address (expires_at);

insert into sign_in_address
select account_id, address, max(expires_at) from refresh_token
where address is not null group by account_id, address;

-- The column stays: replicas of the release before still write it. Nothing reads it.
drop index refresh_token_account;
create index refresh_token_account on refresh_token (account_id);
