-- Subscriptions and what they set in motion; docs/subscriptions.md, docs/actions.md.

-- Counts the changes of what watches the repository, so that a commit, which reads this row anyway,
-- knows whether the compiled filters that a replica holds are those of now.
alter table repository_head add column watchers bigint not null default 0;

-- A set of secrets of a repository or, without one, of the organization. It is bound by its name: the
-- repository's set wins over the organization's, and a binding outlives a set that is made anew.
create table credential_set (
  id          uuid        primary key,
  org_id      uuid        not null references organization (id) on delete cascade,
  repo_id     uuid        references repository (id) on delete cascade,
  name        text        not null collate "C",
  description text,
  created_at  timestamptz not null,
  updated_at  timestamptz not null,
  revoked_at  timestamptz,
  unique nulls not distinct (org_id, repo_id, name)
);
create index credential_set_repo on credential_set (repo_id) where repo_id is not null;

create table credential_key (
  set_id uuid  not null references credential_set (id) on delete cascade,
  name   text  not null collate "C",
  sealed bytea not null,
  primary key (set_id, name)
);

-- repo_id is the repository that it belongs to, source_repo_id the one that it watches: the same one
-- for most. A cron subscription watches none and has no shape.
create table subscription (
  repo_id             uuid        not null references repository (id) on delete cascade,
  id                  uuid        not null unique,
  name                text        not null collate "C",
  kind                text        not null collate "C" check (kind in ('webhook', 'sprite', 'cron')),
  executor_kind       text        not null collate "C" check (executor_kind in ('webhook', 'sprite')),
  active              boolean     not null,
  source_repo_id      uuid        references repository (id) on delete cascade,
  shape_id            bigint,
  filter              text,
  webhook_url         text,
  sprite_config       text,
  cronspec            text,
  timezone            text,
  next_tick_at        timestamptz,
  token_scopes        text,
  credential_set      text        collate "C",
  allow_trace_reentry boolean     not null,
  notify_on_success   boolean     not null,
  workspace_policy    text        not null collate "C" check (workspace_policy in ('ignore', 'include')),
  base_url            text        not null,
  creator_id          uuid        references account (id) on delete set null,
  created_at          timestamptz not null,
  updated_at          timestamptz not null,
  primary key (repo_id, id),
  unique (repo_id, name),
  check ((kind = 'cron') = (cronspec is not null)),
  check ((kind = 'cron') = (source_repo_id is null))
);
create index subscription_source on subscription (source_repo_id);
create index subscription_tick on subscription (next_tick_at) where active and next_tick_at is not null;

-- The operations of a commit that anything watched, each once however many runs it made: the text of
-- its element in matchedOperations, as it was at the commit.
create table matched_operation (
  repo_id  uuid   not null references repository (id) on delete cascade,
  seq      bigint not null,
  op_index int    not null,
  body     text   not null,
  primary key (repo_id, seq, op_index)
);

-- due_at is when somebody has to look at the run: its next attempt, the end of the lease of the worker
-- that has it, or the deadline of the callback that it waits for. A worker is known by its lease.
-- The name of the subscription stays with a run that outlives it. envelope is the JSON object that every
-- attempt sends, matchedOperations left out.
create table action_run (
  repo_id            uuid        not null references repository (id) on delete cascade,
  id                 uuid        not null unique,
  subscription_id    uuid        not null,
  subscription_name  text        not null collate "C",
  commit_id          text        not null collate "C",
  source_repo_id     uuid,
  source_seq         bigint,
  matched            int[]       not null,
  envelope           text        not null,
  executor_kind      text        not null collate "C" check (executor_kind in ('webhook', 'sprite')),
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
  primary key (repo_id, id),
  unique (repo_id, subscription_id, commit_id),
  check ((status in ('pending', 'running', 'retry_wait')) = (due_at is not null)),
  check ((status in ('pending', 'running', 'retry_wait')) = (ended_at is null)),
  check (lease is null or status = 'running')
);
create index action_run_waiting on action_run (repo_id, target, due_at)
  where status in ('pending', 'retry_wait');
create index action_run_running on action_run (due_at) where status = 'running';
create index action_run_newest on action_run (repo_id, created_at desc, id desc);
create index action_run_failed on action_run (repo_id, created_at desc, id desc)
  where status in ('failed_terminal', 'dead_letter');
create index action_run_source on action_run (source_repo_id, source_seq);
create index action_run_trace on action_run (repo_id, subscription_id, trace_id);
create index action_run_ended on action_run (ended_at) where ended_at is not null;

create table action_attempt (
  repo_id       uuid        not null,
  run_id        uuid        not null,
  attempt       int         not null,
  status        text        not null collate "C" check (status in ('started', 'succeeded', 'failed')),
  executor_kind text        not null collate "C",
  started_at    timestamptz not null,
  finished_at   timestamptz,
  http_status   int,
  error_code    text,
  error_message text,
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
  primary key (repo_id, id),
  foreign key (repo_id, run_id) references action_run (repo_id, id) on delete cascade
);
create index action_notification_run on action_notification (repo_id, run_id);
create index action_notification_newest on action_notification (repo_id, created_at desc, id desc);
create index action_notification_queued on action_notification (created_at) where status = 'queued';

-- What is known of a target that fails: calls to it wait until open_until.
create table delivery_target (
  repo_id    uuid        not null references repository (id) on delete cascade,
  target     text        not null collate "C",
  failures   int         not null,
  open_until timestamptz,
  updated_at timestamptz not null,
  primary key (repo_id, target)
);

-- A token of one attempt of a sprite: no more than its subscription's tokenScopes, which its run says.
create table service_token (
  hash       bytea       primary key,
  repo_id    uuid        not null,
  run_id     uuid        not null,
  attempt    int         not null,
  account_id uuid        not null references account (id) on delete cascade,
  scopes     text        not null,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  foreign key (repo_id, run_id) references action_run (repo_id, id) on delete cascade
);
create index service_token_expiry on service_token (expires_at);
create index service_token_run on service_token (repo_id, run_id);
