/** Spring Data JDBC on a SQLite file, for applications that use it. */
@NullMarked
package io.credential.spring.data;

import org.jspecify.annotations.NullMarked;
