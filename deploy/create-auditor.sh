#!/bin/sh
# Create the database user of the auditor, who can only read. The database container runs this script once, when
# it creates the database.
set -eu
psql --set ON_ERROR_STOP=1 --set password="$AUDITOR_PASSWORD" --username "$POSTGRES_USER" --dbname "$POSTGRES_DB" <<'END'
CREATE ROLE auditor LOGIN PASSWORD :'password' IN ROLE pg_read_all_data;
END
