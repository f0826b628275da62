-- How many attempts at an export were cut short because the service was stopped: they are none of the
-- five after which it is given up. The number of an attempt stays what its worker is known by.
alter table export_job add column uncounted int not null default 0;
