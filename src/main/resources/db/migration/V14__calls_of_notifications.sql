-- Notifications that go to a URL, what callbacks report, and the key of callback tokens; docs/actions.md.

-- A call of the repository's notification URL is a run of its own, of no subscription: its
-- subscription_id is its own id, and its envelope is sent as it is.
alter table action_run
  drop constraint action_run_executor_kind_check,
  add constraint action_run_executor_kind_check
    check (executor_kind in ('webhook', 'sprite', 'notification'));

-- The run that calls, where the channel is webhook; the two go together.
alter table action_notification
  add column dispatch_id uuid,
  add foreign key (repo_id, dispatch_id) references action_run (repo_id, id) on delete cascade,
  add check ((channel = 'webhook') = (dispatch_id is not null));
create index action_notification_dispatch on action_notification (repo_id, dispatch_id)
  where dispatch_id is not null;

-- Those that only have to be handed over to the inbox.
drop index action_notification_queued;
create index action_notification_queued on action_notification (created_at)
  where status = 'queued' and channel = 'inbox';

-- The latest that callbacks have said of an attempt.
alter table action_attempt
  add column progress double precision,
  add column message  text;

-- The key of the tokens in callback URLs. It outlives changes of the secret key, which only seals it:
-- what a run sends stays the same.
create table callback_key (
  one    boolean primary key check (one),
  sealed bytea   not null
);
