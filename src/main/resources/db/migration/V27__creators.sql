-- The account that made an organization, which it counts for; docs/operation.md, Quotas.
alter table organization add column creator_id uuid references account (id) on delete set null;

-- Whoever made one has been its member from the moment at which it was made.
update organization o set creator_id = (
  select m.account_id from member m
  where m.org_id = o.id and m.role = 'owner' and m.created_at = o.created_at
  order by m.account_id limit 1);

create index organization_creator on organization (creator_id);
