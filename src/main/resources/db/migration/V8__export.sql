-- Exports that a worker builds; docs/export.md, docs/architecture.md.
-- due_at is when a worker may take the job: from the beginning, behind the lease of one that has it,
-- or after a pause when an attempt failed. A worker is known by the number of its attempt.
create table export_job (
  repo_id        uuid        not null references repository (id) on delete cascade,
  id             uuid        not null unique,
  token_hash     bytea       not null unique,
  at_seq         bigint      not null,
  state          text        not null collate "C" check (state in ('pending', 'complete', 'failed')),
  attempt        int         not null default 0,
  due_at         timestamptz not null,
  record_count   bigint,
  byte_count     bigint,
  content_sha256 bytea,
  created_at     timestamptz not null,
  expires_at     timestamptz not null,
  primary key (repo_id, id),
  check ((state = 'complete') = (content_sha256 is not null))
);
create index export_job_due on export_job (due_at) where state = 'pending';
create index export_job_expiry on export_job (expires_at);

-- The content that an attempt has built, in pieces, each with the place of its first byte. Kept as it
-- is: compressing takes longer than writing, and a part of a piece is read without all of it.
create table export_chunk (
  repo_id  uuid   not null,
  job_id   uuid   not null,
  attempt  int    not null,
  start_at bigint not null,
  bytes    bytea  not null,
  primary key (repo_id, job_id, attempt, start_at),
  foreign key (repo_id, job_id) references export_job (repo_id, id) on delete cascade
);
alter table export_chunk alter column bytes set storage external;
