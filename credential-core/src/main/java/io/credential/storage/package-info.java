/** The database: connections, transactions, dialects, schema migration, files that only their owner may read. */
@NullMarked
package io.credential.storage;

import org.jspecify.annotations.NullMarked;
