/** Limits how often something may happen, on one node or across all nodes. */
@NullMarked
package io.credential.ratelimit;

import org.jspecify.annotations.NullMarked;
