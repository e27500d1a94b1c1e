/** Who may change state when several nodes share one database. */
@NullMarked
package io.credential.cluster;

import org.jspecify.annotations.NullMarked;
