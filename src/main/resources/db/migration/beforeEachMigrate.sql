-- Flyway sends this within each migration's transaction: an index on a large table takes longer than any
-- statement of the service may. The limit for locks stays; see docs/deploy.md, Upgrades.
set local statement_timeout = 0;
