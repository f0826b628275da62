-- Whether an organization shows outsiders anything takes as long whatever it holds.
create index repository_public on repository (org_id) where visibility = 'public';

-- Lists and counts of assertions alone, in their order.
create index entity_assertion on entity (repo_id, shape_name, name) where kind = 'assertion';
