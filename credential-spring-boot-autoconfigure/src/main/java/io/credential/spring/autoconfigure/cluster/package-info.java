/** Leadership of the node. */
@NullMarked
package io.credential.spring.autoconfigure.cluster;

import org.jspecify.annotations.NullMarked;
