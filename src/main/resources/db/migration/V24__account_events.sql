-- The audit log of accounts: sign-ins, sessions, passwords, tokens. Unlike that of organizations it
-- is kept for a limited time. See docs/access.md, Audit log of an account.
create table account_event (
  account_id uuid        not null references account (id) on delete cascade,
  id         uuid        not null,
  at         timestamptz not null,
  action     text        not null collate "C",
  -- Null for what the service did, and for failed sign-ins from many addresses.
  address    text,
  target     text        not null,
  details    text        not null default '{}',
  -- Failed sign-ins alone: one row for each hour and address, with a bounded number of addresses.
  hour       timestamptz,
  count      int         not null default 1,
  primary key (account_id, id)
);
create index account_event_age on account_event (at);
create unique index account_event_failures on account_event (account_id, hour, address)
  nulls not distinct where hour is not null;
