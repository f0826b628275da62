-- The tables of the foundation. What each is for, and why it looks so: docs/architecture.md, Storage.
-- Every table of repository content begins its keys with repo_id, so that it can be partitioned by it.
-- entity, entity_version, reference and entity_rename have no foreign keys: they have one writer, which
-- writes them together, and a check for each of a million rows costs more than all it could find;
-- GET /verification finds it too.

create table account (
  id            uuid        primary key,
  email         text        not null unique check (email = lower(email)),
  display_name  text        not null,
  password_hash text,
  created_at    timestamptz not null
);

create table organization (
  id           uuid        primary key,
  name         text        not null unique,
  display_name text,
  description  text,
  personal     boolean     not null default false,
  archived_at  timestamptz,
  created_at   timestamptz not null
);

create table member (
  org_id     uuid        not null references organization (id) on delete cascade,
  account_id uuid        not null references account (id) on delete cascade,
  role       text        not null check (role in ('viewer', 'editor', 'admin', 'owner')),
  created_at timestamptz not null,
  primary key (org_id, account_id)
);
create index member_account on member (account_id);

create table repository (
  id          uuid        primary key,
  org_id      uuid        not null references organization (id),
  name        text        not null,
  description text,
  visibility  text        not null check (visibility in ('public', 'private')),
  settings    text        not null default '{}',
  archived_at timestamptz,
  created_at  timestamptz not null,
  updated_at  timestamptz not null,
  unique (org_id, name)
);

-- The row that a commit locks. Apart from the repository's own row, so that the busiest row of all
-- stays narrow and is updated in place.
create table repository_head (
  repo_id         uuid   primary key references repository (id) on delete cascade,
  seq             bigint not null default 0,
  next_entity_id  bigint not null default 100,
  hash            bytea  not null
) with (fillfactor = 50);

-- Named commit_log, since commit is a keyword of SQL.
create table commit_log (
  repo_id         uuid        not null references repository (id) on delete cascade,
  seq             bigint      not null,
  commit_id       text        not null collate "C",
  hash            bytea       not null,
  parent_hash     bytea       not null,
  author          text        not null,
  account_id      uuid,
  message         text,
  operation_count int         not null,
  created_at      timestamptz not null,
  primary key (repo_id, seq),
  unique (repo_id, commit_id)
);

-- HEAD: one row an entity, payload included. Texts of references stand between two U+0001 in data;
-- see StoredJson.
create table entity (
  repo_id        uuid        not null,
  id             bigint      not null,
  kind           text        not null collate "C" check (kind in ('shape', 'thing', 'assertion')),
  shape_id       bigint      not null,
  shape_name     text        not null collate "C",
  name           text        not null collate "C",
  version        int         not null,
  active         boolean     not null,
  shape_version  int         not null,
  data           text        not null,
  data_hash      bytea       not null,
  about_repo_id  uuid,
  about_id       bigint,
  about_version  int,
  about_wref     text,
  collection_key bytea,
  author         text        not null,
  created_seq    bigint      not null,
  created_op     int         not null,
  created_at     timestamptz not null,
  updated_at     timestamptz not null,
  primary key (repo_id, id),
  -- Deferrable, so that one statement may pass a name on from one entity to another.
  unique (repo_id, shape_name, name) deferrable
);
create index entity_about on entity (repo_id, about_id, created_seq desc, created_op desc)
  where about_id is not null;
create unique index entity_collection on entity (repo_id, collection_key)
  where collection_key is not null;
-- For what points into another repository: renames there are carried over here.
create index entity_about_foreign on entity (about_repo_id, about_id)
  where about_repo_id <> repo_id;

-- History: one row a version, with the range of sequence numbers in which it was HEAD.
create table entity_version (
  repo_id       uuid    not null,
  entity_id     bigint  not null,
  version       int     not null,
  valid_from    bigint  not null,
  valid_to      bigint,
  op_index      int     not null,
  operation     text    not null collate "C" check (operation in ('add', 'revise')),
  active        boolean not null,
  shape_id      bigint  not null,
  shape_version int     not null,
  about_id      bigint,
  data          text    not null,
  data_hash     bytea   not null,
  primary key (repo_id, entity_id, version)
);
create index entity_version_commit on entity_version (repo_id, valid_from, op_index);
create index entity_version_shape
  on entity_version (repo_id, shape_id, valid_from desc, op_index desc);
create index entity_version_about
  on entity_version (repo_id, about_id, valid_from desc, op_index desc)
  where about_id is not null;

-- The typed edges out of a version's data: wref fields and collection members. The edge of an
-- assertion to its target is in entity.about_id.
create table reference (
  repo_id       uuid    not null,
  from_id       bigint  not null,
  from_version  int     not null,
  from_shape_id bigint  not null,
  ordinal       int     not null,
  pointer       text    not null,
  to_repo_id    uuid    not null,
  to_id         bigint  not null,
  to_version    int     not null,
  head          boolean not null,
  primary key (repo_id, from_id, from_version, ordinal)
);
create index reference_inbound on reference (repo_id, to_id, head, from_shape_id, from_id);
create index reference_foreign on reference (to_repo_id, to_id) where to_repo_id <> repo_id;

-- Renames change names in place; this is where the former names are kept.
create table entity_rename (
  repo_id   uuid   not null,
  entity_id bigint not null,
  seq       bigint not null,
  op_index  int    not null,
  old_name  text   not null,
  new_name  text   not null,
  primary key (repo_id, entity_id, seq, op_index)
);
create index entity_rename_seq on entity_rename (repo_id, seq);

create table idempotency_key (
  repo_id    uuid        not null references repository (id) on delete cascade,
  account_id uuid        not null,
  key        text        not null,
  body_hash  bytea       not null,
  status     int         not null,
  answer     text        not null,
  created_at timestamptz not null,
  primary key (repo_id, account_id, key)
);
create index idempotency_key_age on idempotency_key (created_at);

-- Keys that sign access tokens; the private half is sealed with the service's secret key.
create table signing_key (
  id          text        primary key,
  algorithm   text        not null,
  public_key  bytea       not null,
  private_key bytea       not null,
  created_at  timestamptz not null,
  retired_at  timestamptz
);

create table refresh_token (
  hash       bytea       primary key,
  account_id uuid        not null references account (id) on delete cascade,
  family     uuid        not null,
  used_at    timestamptz,
  expires_at timestamptz not null,
  created_at timestamptz not null
);
create index refresh_token_family on refresh_token (family);
create index refresh_token_expiry on refresh_token (expires_at);

-- Token buckets, the same for all replicas.
create table rate_limit (
  bucket     text             primary key,
  tokens     double precision not null,
  updated_at timestamptz      not null
);
create index rate_limit_age on rate_limit (updated_at);

-- Applies a list of replacements to one text, in order: how renames reach the payloads that name
-- what was renamed, in one statement for any number of them.
create function replace_each(source text, olds text[], news text[]) returns text
  language plpgsql immutable parallel safe as $$
declare
  result text := source;
begin
  for i in 1 .. coalesce(array_length(olds, 1), 0) loop
    result := replace(result, olds[i], news[i]);
  end loop;
  return result;
end
$$;
