/** Leadership of the node, and notifications between the nodes. */
@NullMarked
package io.credential.spring.autoconfigure.cluster;

import org.jspecify.annotations.NullMarked;
