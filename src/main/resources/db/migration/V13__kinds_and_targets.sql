-- A page of one kind, or of what is asserted about one target, in the order of names: without these it
-- passes over whatever of another kind stands before it, or sorts all that there is about the target.
create index entity_kind on entity (repo_id, kind, shape_name, name);
drop index entity_assertion;
create index entity_about_name on entity (repo_id, about_id, shape_name, name)
  where about_id is not null;
