-- The whole schema. What each table is for, and why it looks as it does: docs/architecture.md, Storage.
--
-- Every table of repository content and of runs begins its keys with repo_id, so that it can be partitioned
-- or distributed by it: docs/deploy.md, Citus. Where an id or a hash is looked up without its repository, a
-- plain index serves that; that no two are equal is left to chance, which has 74 bits for ids and 256 for
-- hashes. Secrets are stored as SHA-256 or sealed with the service's secret key.


-- ---------------------------------------------------------------- Accounts, organizations, repositories

create table account (
  id            uuid        primary key,
  email         text        not null unique check (email = lower(email)),
  display_name  text        not null,
  password_hash text,
  created_at    timestamptz not null,
  -- Whoever signs in by an external issuer is known by issuer and subject, never by the e-mail address.
  issuer        text,
  subject       text,
  -- Whether the service itself created the account, at its first start. The demo organization, whose
  -- commands are trusted, belongs to this one alone.
  is_administrator boolean not null default false,
  constraint account_identity unique (issuer, subject),
  constraint account_identity_is_whole check ((issuer is null) = (subject is null))
);
create unique index account_administrator on account (is_administrator) where is_administrator;

create table organization (
  id           uuid        primary key,
  name         text        not null unique,
  display_name text,
  description  text,
  personal     boolean     not null default false,
  archived_at  timestamptz,
  created_at   timestamptz not null,
  -- Whether the service itself created the organization, for the demo repository. It stays true when the
  -- organization is renamed; docs/sprites.md, Trusted organizations.
  is_demo      boolean     not null default false,
  -- The account that created it, whose quota it counts for; docs/limits.md, Quotas.
  creator_id   uuid        references account (id) on delete set null
);
create index organization_creator on organization (creator_id);

create table member (
  org_id     uuid        not null references organization (id) on delete cascade,
  account_id uuid        not null references account (id) on delete cascade,
  role       text        not null check (role in ('viewer', 'editor', 'admin', 'owner')),
  created_at timestamptz not null,
  primary key (org_id, account_id)
);
create index member_account on member (account_id);

-- Memberships that wait for an account with that address.
create table invitation (
  org_id     uuid        not null references organization (id) on delete cascade,
  email      text        not null check (email = lower(email)),
  role       text        not null check (role in ('viewer', 'editor', 'admin', 'owner')),
  -- The account that gave the role: the invitation ends when that account may no longer give it.
  invited_by uuid        not null references account (id) on delete cascade,
  created_at timestamptz not null,
  primary key (org_id, email)
);
create index invitation_email on invitation (email);
create index invitation_inviter on invitation (invited_by);

create table repository (
  id                         uuid        primary key,
  org_id                     uuid        not null references organization (id),
  name                       text        not null,
  description                text,
  visibility                 text        not null check (visibility in ('public', 'private')),
  settings                   text        not null default '{}',
  archived_at                timestamptz,
  created_at                 timestamptz not null,
  updated_at                 timestamptz not null,
  -- Stored bytes that repository_head does not count; see stored_bytes_change. May be negative.
  other_bytes                bigint      not null default 0,
  -- The account that set the notification URL, for which notifications are sent; docs/access.md, Settings.
  -- Null: none are sent.
  notifications_principal_id uuid        references account (id) on delete set null,
  unique (org_id, name)
);
create index repository_public on repository (org_id) where visibility = 'public';

-- Raised by each change that may take access away from an account, or in an organization, so that a replica
-- knows whether the access it remembers is still valid; docs/access.md, Remembered access. A table of its own,
-- because the rows of accounts and organizations are locked for other reasons.
create table access_version (
  -- An account's or an organization's.
  id      uuid   primary key,
  version bigint not null
);

create function begin_access_version() returns trigger language plpgsql as $$
begin
  insert into access_version values (new.id, 1);
  return null;
end $$;

-- Called with the name of the column that has the id.
create function raise_access_version() returns trigger language plpgsql as $$
begin
  update access_version set version = version + 1
  where id = (coalesce(to_jsonb(old), to_jsonb(new)) ->> tg_argv[0])::uuid;
  return null;
end $$;

create function end_access_version() returns trigger language plpgsql as $$
begin
  delete from access_version where id = old.id;
  return null;
end $$;

create trigger access_begins after insert on account
  for each row execute function begin_access_version();
create trigger access_changes after update on account
  for each row when (old.display_name is distinct from new.display_name)
  execute function raise_access_version('id');
create trigger access_ends after delete on account
  for each row execute function end_access_version();

create trigger access_begins after insert on organization
  for each row execute function begin_access_version();
create trigger access_changes after update on organization
  for each row when ((old.name, old.archived_at) is distinct from (new.name, new.archived_at))
  execute function raise_access_version('id');
create trigger access_ends after delete on organization
  for each row execute function end_access_version();

create trigger access_changes after insert or update or delete on member
  for each row execute function raise_access_version('org_id');

create trigger access_changes after update on repository
  for each row when ((old.name, old.visibility, old.archived_at)
                     is distinct from (new.name, new.visibility, new.archived_at))
  execute function raise_access_version('org_id');
create trigger access_ends after delete on repository
  for each row execute function raise_access_version('org_id');

-- The row that a commit locks. It is apart from the repository's own row, so that the busiest row of all
-- stays narrow and is updated in place.
create table repository_head (
  repo_id        uuid   primary key references repository (id) on delete cascade,
  seq            bigint not null default 0,
  next_entity_id bigint not null default 100,
  hash           bytea  not null,
  -- Of the newest commit, so that the next one is not before it; null if there is none.
  committed_at   timestamptz,
  -- Counts the changes of the subscriptions that watch the repository. A commit reads this row anyway, and
  -- so knows whether the compiled filters that its replica holds are current.
  watchers       bigint not null default 0,
  -- Bytes that commits stored; see stored_bytes_change.
  stored_bytes   bigint not null default 0
) with (fillfactor = 50);


-- ------------------------------------------------------------------------------------ Repository content
-- entity, entity_version, reference and entity_rename have no foreign keys: they have one writer, which
-- writes them together, and a check for each of a million rows costs more than all it could find.
-- GET /verification finds it too.
-- References into other repositories stay as they were written, so nothing looks for them from the other
-- side; docs/decisions/0009-references-into-other-repositories.md.

-- The log of commits, chained by hashes. Its name is not "commit", which is a keyword of SQL.
create table commit_log (
  repo_id         uuid        not null,
  seq             bigint      not null,
  commit_id       text        not null collate "C",
  hash            bytea       not null,
  parent_hash     bytea       not null,
  author          text        not null,
  account_id      uuid,
  -- Whether the commit was made with a token that could read and configure the repository, and was not
  -- delegated. Only then does the address of a component's server count that the commit wrote:
  -- docs/components.md, Methods.
  may_configure   boolean     not null default false,
  message         text,
  operation_count int         not null,
  created_at      timestamptz not null,
  -- Where the commit left the counter of ids: the entities that existed by then have smaller ids;
  -- docs/reads.md, Time travel.
  next_entity_id  bigint      not null,
  primary key (repo_id, seq),
  -- Not the other way round: while there are few commits, the planner would find one by its number with
  -- this index, and so read all commits of the repository for each row of a history.
  unique (commit_id, repo_id)
);

-- HEAD: one row an entity, payload included. In data, each reference is a text between two U+0001; see
-- model.StoredJson.
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
  -- Whether a rename has changed names in the data since its hash was computed: then the same hash does not
  -- mean the same data.
  is_rewritten   boolean     not null default false,
  -- Of the strings and numbers in the data, for conditions on fields.
  field_hashes   int[]       not null default '{}',
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
  primary key (repo_id, id)
);
-- The newest assertions about a target.
create index entity_about on entity (repo_id, about_id, created_seq desc, created_op desc)
  where about_id is not null;
-- The collection that has the same members.
create unique index entity_collection on entity (repo_id, collection_key)
  where collection_key is not null;
-- A page of one kind, or of what is asserted about one target, in the order of names: otherwise the page
-- passes over all rows of other kinds before it, or sorts all that there is about the target.
create index entity_kind on entity (repo_id, kind, shape_name, name);
create index entity_about_name on entity (repo_id, about_id, shape_name, name)
  where about_id is not null;
-- What has a value in a field. Without the list of entries that wait to be inserted: it would make commits
-- cheaper, but whoever adds the last one pays for all others, and each search reads the list.
create index entity_field on entity using gin (field_hashes) with (fastupdate = off);
-- Deferrable, so that one statement may pass a name on from one entity to another. This is the last index
-- of the table: of indexes that look alike to the planner it takes the newest, and on a table without rows
-- all that have the columns look alike. If that were entity_kind, each look-up of a name would read all
-- rows of a kind, and that plan would be kept through the first load.
alter table entity add unique (repo_id, shape_name, name) deferrable;

-- History: one row a version. It was HEAD from valid_from, the sequence number of its commit, until the next
-- version of its entity.
create table entity_version (
  repo_id       uuid    not null,
  entity_id     bigint  not null,
  version       int     not null,
  valid_from    bigint  not null,
  op_index      int     not null,
  operation     text    not null collate "C" check (operation in ('add', 'revise')),
  active        boolean not null,
  shape_id      bigint  not null,
  shape_version int     not null,
  about_id      bigint,
  data          text    not null,
  data_hash     bytea   not null,
  -- Of a definition in which a rename has changed names since: the text before. That is what data_hash covers,
  -- unless the version repeats the data of the one before it, as a retract does.
  written_data  text,
  primary key (repo_id, entity_id, version)
);
create index entity_version_commit on entity_version (repo_id, valid_from, op_index);
create index entity_version_shape
  on entity_version (repo_id, shape_id, valid_from desc, op_index desc);
create index entity_version_about
  on entity_version (repo_id, about_id, valid_from desc, op_index desc)
  where about_id is not null;
-- The version that an entity had at a moment, however many it has. First versions are found by the primary
-- key, so that adding entities does not cost an entry here.
create index entity_version_moment on entity_version (repo_id, entity_id, valid_from, version)
  where version > 1;

-- The typed edges out of a version's data: wref fields and collection members. The edge of an assertion to
-- its target is entity.about_id.
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
  to_wref       text,             -- as the payload has it, into another repository; null for a local one
  head          boolean not null,
  primary key (repo_id, from_id, from_version, ordinal)
);
-- With the ordinal, the index gives a page of references in its order, so that nothing is sorted.
create index reference_inbound
  on reference (repo_id, to_id, head, from_shape_id, from_id, ordinal);

-- Renames change names in place; this is where the former names are kept.
create table entity_rename (
  repo_id   uuid   not null,
  entity_id bigint not null,
  seq       bigint not null,
  op_index  int    not null,
  old_name  text   not null,
  new_name  text   not null,
  -- Whether it changed the name in all stored definitions: of a shape that an earlier commit had added.
  in_definitions boolean not null,
  primary key (repo_id, entity_id, seq, op_index)
);
create index entity_rename_seq on entity_rename (repo_id, seq);
create index entity_rename_definitions on entity_rename (repo_id, old_name, seq, op_index)
  where in_definitions;
-- The name first, or the planner would take it for the names of an entity, as with commit_log.
create index entity_rename_old_name on entity_rename (old_name, repo_id, seq desc);

-- How many entities there are, built-in shapes left out. By the id of their shape, so that the rename of a
-- shape changes nothing here. A commit adds what it changes while it has the row of repository_head, so
-- that it waits for nobody.
create table entity_count (
  repo_id  uuid    not null,
  shape_id bigint  not null,
  kind     text    not null collate "C",
  active   boolean not null,
  count    bigint  not null,
  primary key (repo_id, shape_id, kind, active)
) with (fillfactor = 50);

-- How far each part of the search index of a repository is, and the queue of what has to be indexed;
-- docs/search.md. It is apart from repository_head, which commits lock for longer than a worker may wait.
create table search_index (
  repo_id         uuid        not null references repository (id) on delete cascade,
  -- 'words' or 'vectors'.
  part            text        not null collate "C",
  -- The newest commit, set by the statement that moves the head.
  newest_seq      bigint      not null default 0,
  -- What is stored shows every entity as it was after this commit, or later.
  indexed_seq     bigint      not null default 0,
  -- The commit that the pass ends with; null if none has begun. A pass reads versions in the order of commits,
  -- and remembers the last one, so that it goes on there after a restart.
  pass_seq        bigint,
  version_seq     bigint      not null default 0,
  version_op      int         not null default 2147483647,
  version_entity  bigint      not null default 0,
  -- Whether search_renamed has what the renames of the pass changed.
  renames_listed  boolean     not null default false,
  -- What the settings choose: the language of words; 'on' for vectors, whose embedder the program decides, or ''.
  setting         text        not null,
  -- The form of what is stored: the language of the words, or the embedder of the vectors ('' for none). While
  -- entities are written anew in another form, rewritten_id is the last one of them, and the others are in the
  -- former one.
  form            text        not null,
  former          text,
  rewritten_id    bigint,
  -- When a worker has something to do; null if it has nothing. While one does, the end of its lease.
  due_at          timestamptz,
  -- Which attempt has the lease.
  attempt         int         not null default 0,
  -- How many attempts have failed in a row.
  failures        int         not null default 0,
  primary key (repo_id, part),
  check ((former is null) = (rewritten_id is null))
) with (fillfactor = 50);
create index search_index_due on search_index (part, due_at) where due_at is not null;

-- What can be searched of an entity. All repositories share the index on words: every word begins with a hash
-- of its repository and language, so that a search reads no words of others.
create table search_document (
  repo_id    uuid     not null,
  entity_id  bigint   not null,
  words      tsvector not null,
  -- How many words the name has, for the rank.
  name_words smallint not null,
  primary key (repo_id, entity_id)
);
-- Without the list of entries that wait, as entity_field: while somebody else empties it, it grows without
-- limit, and each search reads it.
create index search_document_words on search_document using gin (words) with (fastupdate = off);

-- The last rebuild of the index on words: one row, or none before the first. ended_at is null while it runs;
-- bytes is how large the index was after the last one that did not fail.
create table word_index_rebuild (
  began_at timestamptz not null,
  ended_at timestamptz,
  bytes    bigint
);

-- The vector of an entity by an embedder, as bytes, and its signature of one bit for each dimension. A search
-- scans the signatures of a repository in the index alone.
create table search_vector (
  repo_id    uuid     not null,
  embedder   text     not null collate "C",
  entity_id  bigint   not null,
  signature  bit(512) not null,
  vector     bytea    not null,
  primary key (repo_id, embedder, entity_id) include (signature)
);

-- Entities whose name or data a rename has changed, until a part of the search index has them again.
create table search_renamed (
  repo_id   uuid   not null,
  part      text   not null collate "C",
  entity_id bigint not null,
  primary key (repo_id, part, entity_id)
);

-- The planner keeps no statistics on what tells rows of one repository apart from those of another.
-- Otherwise it takes a repository that it has not sampled yet for an empty one, and then reads all of it
-- for each name; docs/decisions/0008-plans.md.
alter table commit_log alter column repo_id set statistics 0;
alter table entity
  alter column repo_id set statistics 0,
  alter column about_id set statistics 0;
alter table entity_version
  alter column repo_id set statistics 0,
  alter column about_id set statistics 0;
alter table reference
  alter column repo_id set statistics 0,
  alter column from_id set statistics 0,
  alter column to_id set statistics 0;
alter table entity_rename alter column repo_id set statistics 0;
alter table entity_count alter column repo_id set statistics 0;
alter table search_document
  alter column repo_id set statistics 0,
  alter column words set statistics 0;
alter table search_vector
  alter column repo_id set statistics 0,
  alter column embedder set statistics 0;
alter table search_renamed alter column repo_id set statistics 0;

-- Puts new names into a stored text: between its marks (U+0001), before the version. All names change at
-- once, in one pass over the text. It fails if the text gets longer than a stored text may be: a short name
-- with many references to it may be given a long one. The limit is that of commit.VersionRow.
create function rename_in(source text, names jsonb) returns text
  language plpgsql immutable parallel safe as $$
declare
  pieces text[] := string_to_array(source, U&'\0001');
  bytes  bigint := octet_length(source);
  name   text;
begin
  for i in 2 .. coalesce(array_length(pieces, 1), 0) by 2 loop
    name := split_part(pieces[i], '@', 1);
    if names ? name then
      bytes := bytes + octet_length(names ->> name) - octet_length(name);
      if bytes > 4194304 then
        raise exception 'a stored text gets too long' using errcode = 'program_limit_exceeded';
      end if;
      pieces[i] := (names ->> name) || substr(pieces[i], length(name) + 1);
    end if;
  end loop;
  return array_to_string(pieces, U&'\0001');
end
$$;

-- Answers of commits and of new subscriptions, kept for 24 h; docs/commits.md, Idempotency.
create table idempotency_key (
  repo_id    uuid        not null,
  account_id uuid        not null,
  key        text        not null,
  body_hash  bytea       not null,
  status     int         not null,
  answer     text        not null,
  created_at timestamptz not null,
  primary key (repo_id, account_id, key)
);
create index idempotency_key_age on idempotency_key (created_at);

-- The submission that runs on a stream, at most one at a time; docs/streams.md, The lease. A run is known by
-- its id, so that one whose lease has expired and was taken writes nothing more.
create table stream_lease (
  repo_id     uuid        not null references repository (id) on delete cascade,
  stream_id   text        not null,
  run_id      uuid        not null,
  lease_until timestamptz not null,
  account_id  uuid        not null,
  -- The bytes of the run's parts in stream_part.
  staged      bigint      not null default 0,
  primary key (repo_id, stream_id)
);
create index stream_lease_account on stream_lease (account_id);

-- Lines of an atomic submission until all have come and are committed, and then their results until the
-- client has them; docs/streams.md, All or nothing. Uncompressed, since compressing takes longer than writing.
create table stream_part (
  repo_id    uuid        not null references repository (id) on delete cascade,
  run_id     uuid        not null,
  ordinal    int         not null,
  first_op   int         not null,
  -- The number of each line in the body.
  numbers    int[]       not null,
  lines      bytea       not null,
  results    bytea       not null default '',
  created_at timestamptz not null,
  primary key (repo_id, run_id, ordinal)
);
alter table stream_part alter column lines set storage external;
alter table stream_part alter column results set storage external;
create index stream_part_age on stream_part (created_at);

-- The results of operations of an atomic submission to which later ones refer by $n, while it is committed: the
-- transaction that writes them deletes them too. docs/streams.md, All or nothing.
create unlogged table stream_result (
  repo_id   uuid   not null,
  run_id    uuid   not null,
  number    int    not null,
  entity_id bigint not null,
  version   int    not null,
  primary key (repo_id, run_id, number)
);

-- How far a streaming submission with an idempotency key has come, written in the transaction of each of its
-- commits; docs/streams.md, Resuming. content_hash is the hash of the lines of these operations.
create table stream_submission (
  repo_id       uuid        not null references repository (id) on delete cascade,
  account_id    uuid        not null,
  key           text        not null,
  submission_id uuid        not null,
  request_hash  bytea       not null,
  content_hash  bytea       not null,
  operations    int         not null,
  applied       int         not null,
  noops         int         not null,
  errors        int         not null,
  commit_id     text,
  seq           bigint,
  is_finished   boolean     not null,
  updated_at    timestamptz not null,
  primary key (repo_id, account_id, key)
);
create index stream_submission_age on stream_submission (updated_at);


-- --------------------------------------------------------------------------- Sign-in, sessions and tokens

-- Keys that sign access tokens; the private half is sealed.
create table signing_key (
  id          text        primary key,
  algorithm   text        not null,
  public_key  bytea       not null,
  private_key bytea       not null,
  created_at  timestamptz not null,
  retired_at  timestamptz
);

-- Token buckets, the same for all replicas.
create table rate_limit (
  bucket     text             primary key,
  tokens     double precision not null,
  updated_at timestamptz      not null
);
create index rate_limit_age on rate_limit (updated_at);

-- The network addresses from which somebody signed in to an account. Such an address is not kept out while
-- others guess the password; docs/access.md, Sign-in.
create table sign_in_address (
  account_id uuid        not null references account (id) on delete cascade,
  address    text        not null,
  expires_at timestamptz not null,
  primary key (account_id, address)
);
create index sign_in_address_expiry on sign_in_address (expires_at);

-- A sign-in is a session: one row, whether it was begun by a password, in a browser, or by an OAuth grant.
-- Access tokens name it, and are valid only while the row exists; docs/access.md, Sessions.
create table session (
  id          uuid        primary key,
  account_id  uuid        not null references account (id) on delete cascade,
  -- The client that has the tokens: an OAuth client, or the built-in one of sign-ins by password, which is
  -- named "sign-in". Null for a browser.
  client_id   text        collate "C",
  -- Names of permissions separated by spaces; null for all permissions of the account.
  scope       text,
  -- RFC 8707: what the access tokens are for; null if the client did not say.
  resource    text,
  -- SHA-256 of the cookie of a browser.
  cookie_hash bytea       unique,
  -- The network address from which it was begun.
  address     text        not null,
  created_at  timestamptz not null,
  -- When its tokens were last renewed.
  renewed_at  timestamptz not null,
  expires_at  timestamptz not null,
  check ((client_id is null) = (cookie_hash is not null))
);
create index session_account on session (account_id, id);
create index session_expiry on session (expires_at);
-- A renewal only lengthens it.
create trigger access_shortened after update of expires_at on session
  for each row when (new.expires_at < old.expires_at) execute function raise_access_version('account_id');
create trigger access_ends after delete on session
  for each row execute function raise_access_version('account_id');

-- A used token stays until it expires, so that a second use is noticed.
create table refresh_token (
  hash       bytea       primary key,
  session_id uuid        not null references session (id) on delete cascade,
  used_at    timestamptz,
  expires_at timestamptz not null
);
create index refresh_token_session on refresh_token (session_id);
create index refresh_token_expiry on refresh_token (expires_at);

create table personal_access_token (
  id          uuid        primary key,
  account_id  uuid        not null references account (id) on delete cascade,
  name        text        not null collate "C",
  description text,
  -- Of the whole token.
  hash        bytea       not null unique,
  expires_at  timestamptz not null,
  revoked_at  timestamptz,
  created_at  timestamptz not null,
  -- A revoked or expired token keeps its name.
  unique (account_id, name)
);
create trigger access_changes after update or delete on personal_access_token
  for each row execute function raise_access_version('account_id');

-- The entries of a token's scopes; a token without any is not restricted. The resource of an entry is kept
-- by id and without a foreign key: a repository that takes the name of a deleted one is another one, and an
-- entry whose repository is gone must cover nothing rather than everything.
create table token_scope (
  token_id        uuid   not null references personal_access_token (id) on delete cascade,
  ordinal         int    not null,
  resource        text,
  org_id          uuid,
  repo_id         uuid,
  permissions     text[] not null,
  -- Null: no restriction of names. Empty: no name at all.
  allowed_matches text[],
  primary key (token_id, ordinal),
  check ((resource is null) = (org_id is null)),
  check (repo_id is null or org_id is not null)
);


-- ---------------------------------------------------------- The built-in OAuth 2.1 authorization server

-- Clients that registered themselves. Those that are known by the URL of their document, and the built-in
-- one, have no row.
create table oauth_client (
  id            text        primary key collate "C",
  name          text        not null,
  redirect_uris text[]      not null,
  -- From where it registered: the first 24 bits of an IPv4 address, 48 of an IPv6 address, hexadecimal.
  network       text        not null collate "C",
  created_at    timestamptz not null,
  -- When it last got a token, by the day; null before the first one.
  used_at       timestamptz
);
create index oauth_client_use on oauth_client (used_at);
create index oauth_client_unused on oauth_client (created_at) where used_at is null;

-- Authorization codes. grant_id is the id of the session that the code becomes; a second use ends it.
create table oauth_code (
  hash           bytea       primary key,
  grant_id       uuid        not null,
  account_id     uuid        not null references account (id) on delete cascade,
  client_id      text        not null collate "C",
  redirect_uri   text        not null,
  code_challenge text        not null,
  scope          text,
  resource       text,
  used_at        timestamptz,
  expires_at     timestamptz not null
);
create index oauth_code_account on oauth_code (account_id);
create index oauth_code_expiry on oauth_code (expires_at);

-- Devices that wait for a person (RFC 8628).
create table oauth_device (
  hash       bytea       primary key,
  user_hash  bytea       not null unique,
  client_id  text        not null collate "C",
  scope      text,
  resource   text,
  -- From where it started, as in oauth_client.
  network    text        not null collate "C",
  status     text        not null check (status in ('pending', 'approved', 'denied')),
  account_id uuid        references account (id) on delete cascade,
  -- Seconds that the device has to wait between two requests, and when it made the last one.
  interval_s int         not null,
  polled_at  timestamptz,
  expires_at timestamptz not null,
  check ((status = 'approved') = (account_id is not null))
);
create index oauth_device_account on oauth_device (account_id) where account_id is not null;
create index oauth_device_expiry on oauth_device (expires_at);
create index oauth_device_unapproved on oauth_device (expires_at) where account_id is null;


-- -------------------------------------------------------------------------------------------- Audit logs

-- Of organizations: members, tokens, visibility, credentials. Rows are only ever added.
create table audit_event (
  org_id     uuid        not null references organization (id),
  id         uuid        not null,
  at         timestamptz not null,
  action     text        not null collate "C",
  account_id uuid,
  actor      text        not null,
  token_name text,
  address    text,
  target     text        not null,
  details    text        not null default '{}',
  primary key (org_id, id)
);

create function audit_event_is_append_only() returns trigger
  language plpgsql as $$
begin
  raise exception 'audit_event is append only';
end
$$;
create trigger audit_event_append_only
  before update or delete or truncate on audit_event
  for each statement execute function audit_event_is_append_only();

-- Of accounts: sign-ins, sessions, passwords, tokens. Unlike the one above it is kept for a limited time;
-- docs/audit.md, Audit log of an account.
create table account_event (
  account_id uuid        not null references account (id) on delete cascade,
  id         uuid        not null,
  at         timestamptz not null,
  action     text        not null collate "C",
  -- Null for what the service did, and for failed sign-ins from many addresses.
  address    text,
  target     text        not null,
  details    text        not null default '{}',
  -- Of failed sign-ins only: one row for each hour and address, with a bounded number of addresses.
  hour       timestamptz,
  count      int         not null default 1,
  primary key (account_id, id)
);
create index account_event_age on account_event (at);
create unique index account_event_failures on account_event (account_id, hour, address)
  nulls not distinct where hour is not null;


-- ----------------------------------------------------- Subscriptions, runs, deliveries, notifications
-- docs/subscriptions.md, docs/actions.md.

-- Components that an organization has registered: docs/components.md. A component that was deregistered keeps
-- its row and its versions as long as repositories have it installed; its name is free again.
create table component (
  id              uuid        primary key,
  org_id          uuid        not null references organization (id) on delete cascade,
  name            text        not null collate "C",
  visibility      text        not null collate "C" check (visibility in ('public', 'private')),
  setup_url       text,
  -- A set of the organization, whose secrets the setup call sends.
  credential_set  text        collate "C",
  -- The accounts that set these two last: the setup call is made only while both may do so still.
  setup_url_by      uuid      references account (id) on delete set null,
  credential_set_by uuid      references account (id) on delete set null,
  mints_token     boolean     not null,
  -- The number of its newest version.
  newest          int         not null,
  created_at      timestamptz not null,
  updated_at      timestamptz not null,
  deregistered_at timestamptz
);
create unique index component_name on component (org_id, name) where deregistered_at is null;

create table component_version (
  component_id  uuid        not null references component (id) on delete cascade,
  number        int         not null,
  version       text        not null collate "C",
  -- The name and the description in the manifest, for lists.
  title         text,
  description   text,
  -- Canonical JSON, whose hash is manifest_hash.
  manifest      text        not null,
  manifest_hash bytea       not null,
  registered_by uuid        references account (id) on delete set null,
  created_at    timestamptz not null,
  primary key (component_id, number),
  unique (component_id, version)
);

-- Components of a repository. The row is made when a component is first resolved for the repository, so that
-- its id is known before it is installed. The shapes of an installed component are named in its record, the
-- thing ComponentInstall/<id>; its credential sets and subscriptions have its id.
create table component_install (
  repo_id      uuid        not null references repository (id) on delete cascade,
  id           uuid        not null,
  component_id uuid        not null references component (id) on delete cascade,
  state        text        not null collate "C" check (state in ('resolved', 'installing', 'installed', 'torn_down')),
  -- The version that is installed, or was begun to be; null as long as it is only resolved.
  number       int,
  -- The version whose installation was completed last, whose methods are called; null before the first one, and
  -- after a teardown.
  complete_number int,
  -- The account that installed it.
  installed_by uuid        references account (id) on delete set null,
  created_at   timestamptz not null,
  updated_at   timestamptz not null,
  primary key (repo_id, id),
  unique (repo_id, component_id),
  foreign key (component_id, number) references component_version (component_id, number),
  foreign key (component_id, complete_number) references component_version (component_id, number),
  check (complete_number is null or state in ('installing', 'installed')),
  check ((state = 'resolved') = (number is null))
);
create index component_install_component on component_install (component_id);
create index component_install_account on component_install (installed_by);

-- A set of secrets of a repository or, without one, of the organization. It is bound by its name: the
-- repository's set takes precedence, and a binding outlives a set that is created anew.
create table credential_set (
  id          uuid        primary key,
  org_id      uuid        not null references organization (id) on delete cascade,
  repo_id     uuid        references repository (id) on delete cascade,
  name        text        not null collate "C",
  description text,
  created_at  timestamptz not null,
  updated_at  timestamptz not null,
  revoked_at  timestamptz,
  -- The installed component that it belongs to; null for one that an account created.
  install_id  uuid,
  unique nulls not distinct (org_id, repo_id, name),
  foreign key (repo_id, install_id) references component_install (repo_id, id)
    on delete set null (install_id)
);
create index credential_set_install on credential_set (repo_id, install_id) where install_id is not null;
create index credential_set_repo on credential_set (repo_id) where repo_id is not null;

create table credential_key (
  set_id uuid  not null references credential_set (id) on delete cascade,
  name   text  not null collate "C",
  sealed bytea not null,
  -- The account that set the value. A sprite gets it only while that account may still set it.
  set_by uuid  not null,
  set_at timestamptz not null default now(),
  primary key (set_id, name)
);

-- repo_id is the repository that it belongs to, source_repo_id the one that it watches: the same one for
-- most. A cron subscription watches none and has no shape.
create table subscription (
  repo_id             uuid        not null references repository (id) on delete cascade,
  id                  uuid        not null,
  name                text        not null collate "C",
  kind                text        not null collate "C" check (kind in ('webhook', 'sprite', 'cron')),
  executor_kind       text        not null collate "C" check (executor_kind in ('webhook', 'sprite')),
  active              boolean     not null,
  source_repo_id      uuid        references repository (id) on delete cascade,
  shape_id            bigint,
  filter              text,
  webhook_url         text,
  sprite_config       text,
  -- The name of the execution environment if sprite_config gives one, so that it is read without its command.
  sprite_container    text,
  cronspec            text,
  timezone            text,
  next_tick_at        timestamptz,
  token_scopes        text,
  -- The names of all permissions in token_scopes.
  token_permissions   text[]      collate "C" not null default '{}',
  credential_set      text        collate "C",
  allow_trace_reentry boolean     not null,
  notify_on_success   boolean     not null,
  workspace_policy    text        not null collate "C" check (workspace_policy in ('ignore', 'include')),
  base_url            text        not null,
  -- The account whose rights it acts with: whoever created it, or last changed what it does;
  -- docs/subscriptions.md, Principal.
  principal_id        uuid        references account (id) on delete set null,
  created_at          timestamptz not null,
  updated_at          timestamptz not null,
  -- How often that account, the target or the credential set was changed: each time, the tokens of callbacks
  -- become invalid.
  callback_generation int         not null default 0,
  -- The installed component that it belongs to; null for one that an account created.
  install_id          uuid,
  primary key (repo_id, id),
  foreign key (repo_id, install_id) references component_install (repo_id, id)
    on delete set null (install_id),
  unique (repo_id, name),
  check ((kind = 'cron') = (cronspec is not null)),
  check ((kind = 'cron') = (source_repo_id is null))
);
create index subscription_id on subscription (id);
create index subscription_install on subscription (repo_id, install_id) where install_id is not null;
create index subscription_source on subscription (source_repo_id);
create index subscription_tick on subscription (next_tick_at) where active and next_tick_at is not null;

-- The operations of a commit that any subscription watched, each once however many runs there are: the text
-- of its element in matchedOperations, as it was at the commit. The bytes are stored uncompressed, so that a
-- part of a large operation is read without the rest. These rows and runs outlive their repository for a
-- while; see deleted_repository.
create table matched_operation (
  repo_id  uuid   not null,
  seq      bigint not null,
  op_index int    not null,
  body     bytea  not null,
  primary key (repo_id, seq, op_index)
);
alter table matched_operation alter column body set storage external;

-- due_at is when a worker has to look at the run: its next attempt, the end of the lease of the worker that
-- has it, or the deadline of the callback that it waits for. A worker is known by its lease. The name of the
-- subscription stays with a run that outlives it. envelope is the JSON object that every attempt sends,
-- without matchedOperations. A call of the repository's notification URL is a run of no subscription: its
-- subscription_id is its own id, and its envelope is sent as it is.
create table action_run (
  repo_id            uuid        not null,
  id                 uuid        not null unique,
  subscription_id    uuid        not null,
  subscription_name  text        not null collate "C",
  commit_id          text        not null collate "C",
  source_repo_id     uuid,
  source_seq         bigint,
  matched            int[]       not null,
  envelope           text        not null,
  executor_kind      text        not null collate "C"
    check (executor_kind in ('webhook', 'sprite', 'notification')),
  target             text        not null collate "C",
  trace_id           uuid        not null,
  depth              int         not null,
  status             text        not null collate "C"
    check (status in ('pending', 'running', 'retry_wait', 'succeeded', 'failed_terminal', 'dead_letter')),
  attempt_count      int         not null default 0,
  max_attempts       int         not null,
  due_at             timestamptz,
  lease              uuid,
  last_error_code    text,
  last_error_message text,
  created_at         timestamptz not null,
  updated_at         timestamptz not null,
  ended_at           timestamptz,
  -- An urgent run begins when it is due, also while the circuit of its target is open: it was never tried,
  -- or somebody asked for its retry.
  urgent             boolean     not null default true,
  -- How often the run was retried by hand: each time, the tokens of its callback become invalid.
  brought_back       int         not null default 0,
  primary key (repo_id, id),
  unique (repo_id, subscription_id, commit_id),
  check ((status in ('pending', 'running', 'retry_wait')) = (due_at is not null)),
  check ((status in ('pending', 'running', 'retry_wait')) = (ended_at is null)),
  check (lease is null or status = 'running')
);
create index action_run_running on action_run (due_at) where status = 'running';
create index action_run_newest on action_run (repo_id, created_at desc, id desc);
create index action_run_failed on action_run (repo_id, created_at desc, id desc)
  where status in ('failed_terminal', 'dead_letter');
create index action_run_source on action_run (source_repo_id, source_seq);
create index action_run_trace on action_run (repo_id, subscription_id, trace_id);
create index action_run_ended on action_run (ended_at) where ended_at is not null;
create index action_run_waiting on action_run (repo_id, target, urgent, due_at)
  where status in ('pending', 'retry_wait');

create table action_attempt (
  repo_id       uuid             not null,
  run_id        uuid             not null,
  attempt       int              not null,
  status        text             not null collate "C" check (status in ('started', 'succeeded', 'failed')),
  executor_kind text             not null collate "C",
  started_at    timestamptz      not null,
  finished_at   timestamptz,
  http_status   int,
  error_code    text,
  error_message text,
  -- The latest that callbacks reported.
  progress      double precision,
  message       text,
  -- The beginning of what a command wrote that succeeded, without secrets.
  output        text,
  -- That of the subscription when the attempt began: it counts once the subscription is deleted.
  callback_generation int        not null default 0,
  -- The set that was bound when the attempt began, by its name then; it may be deleted. Null for none.
  credential_set_id uuid,
  primary key (repo_id, run_id, attempt),
  foreign key (repo_id, run_id) references action_run (repo_id, id) on delete cascade
);

create table action_notification (
  repo_id           uuid        not null,
  id                uuid        not null,
  run_id            uuid        not null,
  subscription_name text        not null collate "C",
  commit_id         text        not null collate "C",
  attempt           int         not null,
  channel           text        not null collate "C",
  status            text        not null collate "C" check (status in ('queued', 'delivered')),
  outcome           text        not null collate "C" check (outcome in ('succeeded', 'failed')),
  error_code        text,
  error_message     text,
  created_at        timestamptz not null,
  -- The run that calls the notification URL, if the channel is webhook.
  dispatch_id       uuid,
  -- When the run whose failure it reports succeeded after all.
  resolved_at       timestamptz,
  primary key (repo_id, id),
  foreign key (repo_id, run_id) references action_run (repo_id, id) on delete cascade,
  foreign key (repo_id, dispatch_id) references action_run (repo_id, id) on delete cascade,
  check ((channel = 'webhook') = (dispatch_id is not null))
);
create index action_notification_run on action_notification (repo_id, run_id);
create index action_notification_newest on action_notification (repo_id, created_at desc, id desc);
create index action_notification_dispatch on action_notification (repo_id, dispatch_id)
  where dispatch_id is not null;
-- Those that only have to be handed over to the inbox.
create index action_notification_queued on action_notification (created_at)
  where status = 'queued' and channel = 'inbox';

-- The circuit breaker of a target that fails: calls to it wait until open_until.
create table delivery_target (
  repo_id    uuid        not null references repository (id) on delete cascade,
  target     text        not null collate "C",
  failures   int         not null,
  open_until timestamptz,
  updated_at timestamptz not null,
  -- The run that probes, or was the last one to: while an attempt at it is under way, no other run probes.
  probe      uuid,
  primary key (repo_id, target)
);

-- Tokens that the service issues for one repository: to an attempt of a sprite, with at most the tokenScopes
-- of its subscription (docs/access.md, Service tokens), or to an installed component, with at most the
-- runtimeAccess of its manifest (docs/components.md, Tokens).
create table service_token (
  repo_id    uuid        not null references repository (id) on delete cascade,
  hash       bytea       not null,
  account_id uuid        not null references account (id) on delete cascade,
  run_id     uuid,
  attempt    int,
  install_id uuid,
  -- Whether it is the five-minute token of a setup call; of others, an install has one.
  is_setup   boolean     not null default false,
  scopes     text        not null,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  primary key (repo_id, hash),
  foreign key (repo_id, run_id) references action_run (repo_id, id) on delete cascade,
  foreign key (repo_id, install_id) references component_install (repo_id, id) on delete cascade,
  check ((run_id is null) <> (install_id is null)),
  check ((run_id is null) = (attempt is null)),
  check (install_id is not null or not is_setup)
);
create index service_token_hash on service_token (hash);
create index service_token_expiry on service_token (expires_at);
create index service_token_run on service_token (repo_id, run_id);
create index service_token_install on service_token (repo_id, install_id) where install_id is not null;
create unique index service_token_runtime on service_token (repo_id, install_id)
  where install_id is not null and not is_setup;
create index service_token_account on service_token (account_id);

-- Tickets for live updates, each to be used once. A ticket refers to the token that it was issued to, which decides
-- what it reads: by the name of a personal access token, by its session, or by the hash of a service or component
-- token; a reader of what is public has none of them, and no account.
create table live_ticket (
  repo_id          uuid        not null references repository (id) on delete cascade,
  hash             bytea       not null,
  account_id       uuid        references account (id) on delete cascade,
  pat              text,
  session_id       uuid,
  service_token    bytea,
  token_expires_at timestamptz,
  expires_at       timestamptz not null,
  primary key (repo_id, hash)
);
create index live_ticket_hash on live_ticket (hash);
create index live_ticket_account on live_ticket (account_id);
create index live_ticket_expiry on live_ticket (expires_at);

-- The key of the tokens in callback URLs. It outlives changes of the secret key, which only seals it: what a
-- run sends stays the same.
create table callback_key (
  one    boolean primary key check (one),
  sealed bytea   not null
);

-- The organization that a name in CAIRN_SPRITE_ORGANIZATIONS stands for: the first one that had it. The row
-- outlives the organization, so that nobody is trusted for taking the name of a deleted one.
create table sprite_organization (
  name     text        primary key collate "C",
  org_id   uuid        not null,
  bound_at timestamptz not null
);

-- Ids of what a statement creates: UUIDs of version 7, as the service creates them.
create function next_id() returns uuid language sql volatile parallel safe as $$
  select encode(
    set_bit(
      set_bit(
        overlay(
          uuid_send(gen_random_uuid())
          placing substring(int8send((extract(epoch from clock_timestamp()) * 1000)::bigint) from 3)
          from 1 for 6),
        52, 1),
      53, 1),
    'hex')::uuid
$$;


-- ----------------------------------------------------------------------------------------------- Exports

-- Exports that a worker builds; docs/export.md. due_at is when a worker may take the job: at once, after the
-- lease of the worker that has it, or after a pause when an attempt failed. A worker is known by the number
-- of its attempt.
create table export_job (
  repo_id        uuid        not null,
  id             uuid        not null,
  token_hash     bytea       not null,
  at_seq         bigint      not null,
  state          text        not null collate "C" check (state in ('pending', 'complete', 'failed')),
  attempt        int         not null default 0,
  due_at         timestamptz not null,
  record_count   bigint,
  byte_count     bigint,
  content_sha256 bytea,
  created_at     timestamptz not null,
  expires_at     timestamptz not null,
  -- An attempt counts as three towards the limit of five until its end is recorded, and as one from then on,
  -- or not at all if the service was stopped: this is subtracted from attempt, and may be negative.
  uncounted      int         not null default 0,
  -- The account that asked for it.
  account_id     uuid,
  -- The newest commit when it was asked for. Two exports of one moment differ only if something was renamed
  -- after that, since they have today's names.
  newest_seq     bigint      not null default 0,
  -- What it takes so far.
  stored_bytes   bigint      not null default 0,
  failure        text        collate "C" check (failure in ('exports_full', 'export_share_full')),
  primary key (repo_id, id),
  unique (repo_id, token_hash),
  check ((state = 'complete') = (content_sha256 is not null))
);
create index export_job_id on export_job (id);
create index export_job_due on export_job (due_at) where state = 'pending';
create index export_job_expiry on export_job (expires_at);
-- The exports that take room, for the sums of all of them and of an account.
create index export_job_stored on export_job (account_id) include (stored_bytes, expires_at)
  where stored_bytes > 0;

-- The content that an attempt has built, in pieces, each with the offset of its first byte. They are stored
-- uncompressed: compressing takes longer than writing, and a part of a piece is read without all of it.
create table export_chunk (
  repo_id  uuid   not null,
  job_id   uuid   not null,
  attempt  int    not null,
  start_at bigint not null,
  bytes    bytea  not null,
  primary key (repo_id, job_id, attempt, start_at)
);
alter table export_chunk alter column bytes set storage external;


-- ------------------------------------------------------------------------------- Stored bytes and chores

-- The bytes of a repository from the rows themselves: the text, and a constant for the rest of each row and
-- its index entries; docs/limits.md, Quotas. The constants are those of access.limit.StoredBytes. That of a run
-- covers the rows of its attempts and notifications too, and the runs that are calls of notifications: only
-- the texts of these are counted. The pointer of a reference counts, because a few long field names may stand
-- above thousands of references.
create function stored_bytes_of(repo uuid) returns bigint
  language sql stable parallel safe as $$
  select (select coalesce(sum(512 + octet_length(data)), 0) from entity where repo_id = repo)
       + (select coalesce(sum(512 + octet_length(data) + coalesce(octet_length(written_data), 0)), 0)
          from entity_version where repo_id = repo)
       + (select coalesce(sum(256 + octet_length(pointer) + coalesce(octet_length(to_wref), 0)), 0)
          from reference where repo_id = repo)
       + (select coalesce(sum(512 + octet_length(coalesce(message, ''))), 0)
          from commit_log where repo_id = repo)
       + (select 1024 * count(*) from entity_rename where repo_id = repo)
       + (select coalesce(sum(512 + octet_length(answer)), 0)
          from idempotency_key where repo_id = repo)
       + (select 1024 * count(*) from stream_submission where repo_id = repo)
       + (select coalesce(sum(512 + octet_length(lines) + octet_length(results)), 0)
          from stream_part where repo_id = repo)
       + (select coalesce(sum(512 + octet_length(body)), 0)
          from matched_operation where repo_id = repo)
       + (select coalesce(sum(
                   case when executor_kind <> 'notification' then 4096::bigint * (1 + brought_back) else 0 end
                   + octet_length(envelope) + 4 * cardinality(matched)
                   + coalesce(octet_length(last_error_message), 0)), 0)
          from action_run where repo_id = repo)
       + (select coalesce(sum(octet_length(concat(message, error_message, output))), 0)
          from action_attempt where repo_id = repo)
       + (select coalesce(sum(octet_length(error_message)), 0)
          from action_notification where repo_id = repo)
$$;

-- repository_head.stored_bytes, repository.other_bytes and the rows here together are stored_bytes_of(id). A
-- commit counts what it writes in repository_head, which it has locked anyway. Whatever else is written or
-- deleted adds a row here, so that no transaction waits for another one in order to count. A chore folds
-- these rows into other_bytes.
-- Without a foreign key: because of its check, a cleanup of runs would wait for a transaction that deletes
-- the repository, which waits for these runs. The chore deletes the rows of repositories that are gone.
create table stored_bytes_change (
  repo_id uuid   not null,
  bytes   bigint not null
);
create index stored_bytes_change_repository on stored_bytes_change (repo_id) include (bytes);

-- A deleted repository of which rows may be left in the tables without a foreign key to the repository: those
-- of content, commit_log, idempotency_key, search_document, search_vector, search_renamed,
-- matched_operation and action_run. Exports expire then, and go with their chunks. The transaction of the deletion would take minutes for millions of them, so a chore deletes
-- the rest, part by part. Nothing shows them meanwhile: all access begins with the row of the repository,
-- which is gone.
create table deleted_repository (
  repo_id uuid        primary key,
  org_id  uuid        not null,
  -- What it stored, which counts for the organization until all is deleted; 0 from then on.
  bytes   bigint      not null,
  -- When the chore looks for rows: once more an hour after it has found none, because a transaction that
  -- began before the deletion may have added some.
  due_at  timestamptz not null
);
create index deleted_repository_due on deleted_repository (due_at);
create index deleted_repository_stored on deleted_repository (org_id) include (bytes) where bytes > 0;

-- What is done once an hour over all replicas, and when it is due next; docs/operation.md, Chores.
create table chore (
  name   text        primary key collate "C",
  due_at timestamptz not null
);
