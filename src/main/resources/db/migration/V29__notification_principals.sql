-- For which account notifications are sent; docs/access.md, Settings. Who set the URLs that exist is not
-- known, so nothing is sent to them until somebody sets them again.
alter table repository add column notifications_principal_id uuid
  references account (id) on delete set null;
