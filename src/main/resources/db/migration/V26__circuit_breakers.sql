-- Circuit breakers of targets, and resolved notifications; docs/actions.md, Circuit breaker.

-- Ids of what is made within a statement: UUIDs of version 7, as the service makes them.
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

-- An urgent run begins when it is due, also while the circuit of its target is open: it was never
-- tried, or somebody asked for its retry.
alter table action_run add column urgent boolean not null default true;
update action_run set urgent = false where status in ('pending', 'retry_wait') and attempt_count > 0;
drop index action_run_waiting;
create index action_run_waiting on action_run (repo_id, target, urgent, due_at)
  where status in ('pending', 'retry_wait');

-- The run that probes, or was the last one to: while an attempt at it is under way, no other does.
alter table delivery_target add column probe uuid;

-- When the run that a failure was told of succeeded after all.
alter table action_notification add column resolved_at timestamptz;

-- Bytes that are stored as they are, so that a part of a large operation is read without the rest.
alter table matched_operation
  alter column body type bytea using convert_to(body, 'UTF8'),
  alter column body set storage external;
