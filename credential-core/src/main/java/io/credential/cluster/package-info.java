/** Leader election, and detection of other nodes on the same database. */
@NullMarked
package io.credential.cluster;

import org.jspecify.annotations.NullMarked;
