-- Whose rights a subscription acts with: who made it, or who last changed what it does;
-- docs/subscriptions.md, Principal.
alter table subscription rename column creator_id to principal_id;
alter table subscription rename constraint subscription_creator_id_fkey to subscription_principal_id_fkey;

-- Whether the service itself made the organization, for the demo repository: that does not go with its
-- name; docs/sprites.md, Trusted organizations.
alter table organization add column is_demo boolean not null default false;

-- Which organization a name in CAIRN_SPRITE_ORGANIZATIONS stands for: the first one that had it. The row
-- outlives the organization, so that nobody is trusted for taking the name of one that is gone.
create table sprite_organization (
  name     text        primary key collate "C",
  org_id   uuid        not null,
  bound_at timestamptz not null
);
