/** Messages between the nodes that share a PostgreSQL database. */
@NullMarked
package io.credential.internal.notification;

import org.jspecify.annotations.NullMarked;
