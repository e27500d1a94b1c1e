/** The SQLite driver, with transactions that are atomic and statements that are reused. Nothing else subclasses it. */
@NullMarked
package io.credential.storage.sqlite;

import org.jspecify.annotations.NullMarked;
