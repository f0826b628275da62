-- With the ordinal the index gives a page of references in its order, so that nothing is sorted.
drop index reference_inbound;
create index reference_inbound
  on reference (repo_id, to_id, head, from_shape_id, from_id, ordinal);
