/** Leader election, and detection of other nodes on the same database. */
@NullMarked
package io.credential.internal.cluster;

import org.jspecify.annotations.NullMarked;
