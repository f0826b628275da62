-- Puts new names into a stored text, as before, and gives up where it gets longer than a stored text
-- may be: a short name with many references to it may be given a long one. The limit is that of
-- commit.VersionRow.
create or replace function rename_in(source text, names jsonb) returns text
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
