-- How often a run was brought back by hand: each time, the tokens of its callback become invalid.
alter table action_run add column brought_back int not null default 0;
