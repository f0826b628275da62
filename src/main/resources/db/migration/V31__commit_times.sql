-- The time of the newest commit, so that the next one is not before it. Null if there is none.
alter table repository_head add column committed_at timestamptz;
update repository_head h set committed_at = c.created_at
from commit_log c where (c.repo_id, c.seq) = (h.repo_id, h.seq);
