/** The name of this node. */
@NullMarked
package io.credential.spring.autoconfigure.cluster.internal;

import org.jspecify.annotations.NullMarked;
