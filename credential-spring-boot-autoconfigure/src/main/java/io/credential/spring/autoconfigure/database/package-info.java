/** The DataSource, the schema and the transactions that everything is stored with. */
@NullMarked
package io.credential.spring.autoconfigure.database;

import org.jspecify.annotations.NullMarked;
