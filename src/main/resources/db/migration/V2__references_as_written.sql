-- References into other repositories stay as they were written, so nothing looks for them from the
-- other side; docs/decisions/0009-references-into-other-repositories.md.
drop index entity_about_foreign;
drop index reference_foreign;

-- The planner keeps no statistics on what tells rows of one repository apart from those of another. It
-- would take a repository that it has not sampled yet for an empty one, and then read all of it for each
-- name; docs/decisions/0008-plans.md. Setting the type, to what it is, forgets the statistics of before.
alter table commit_log
  alter column repo_id type uuid, alter column repo_id set statistics 0;
alter table entity
  alter column repo_id type uuid, alter column repo_id set statistics 0,
  alter column about_id type bigint, alter column about_id set statistics 0;
alter table entity_version
  alter column repo_id type uuid, alter column repo_id set statistics 0,
  alter column about_id type bigint, alter column about_id set statistics 0;
alter table reference
  alter column repo_id type uuid, alter column repo_id set statistics 0,
  alter column from_id type bigint, alter column from_id set statistics 0,
  alter column to_id type bigint, alter column to_id set statistics 0;
alter table entity_rename
  alter column repo_id type uuid, alter column repo_id set statistics 0;

-- Puts new names into a stored text: between its marks (U+0001), before the version. All names change
-- at once, in one pass over the text.
drop function replace_each(text, text[], text[]);
create function rename_in(source text, names jsonb) returns text
  language plpgsql immutable parallel safe as $$
declare
  pieces text[] := string_to_array(source, U&'\0001');
  name   text;
begin
  for i in 2 .. coalesce(array_length(pieces, 1), 0) by 2 loop
    name := split_part(pieces[i], '@', 1);
    if names ? name then
      pieces[i] := (names ->> name) || substr(pieces[i], length(name) + 1);
    end if;
  end loop;
  return array_to_string(pieces, U&'\0001');
end
$$;
