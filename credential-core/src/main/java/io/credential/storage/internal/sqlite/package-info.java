/** DataSource for a local SQLite file, with atomic transactions and cached statements. Only this package uses the SQLite driver. */
@NullMarked
package io.credential.storage.internal.sqlite;

import org.jspecify.annotations.NullMarked;
