/** Counts how often keys are used, in memory, and stores the counts of each day. */
@NullMarked
package io.credential.apikey.internal.usage;

import org.jspecify.annotations.NullMarked;
