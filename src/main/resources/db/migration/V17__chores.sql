-- What is done once an hour over all replicas, and when it is due next; docs/operation.md, Chores.
create table chore (
  name   text        primary key collate "C",
  due_at timestamptz not null
);
