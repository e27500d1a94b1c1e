/** Bulk retries and their progress. */
@NullMarked
package io.credential.spring.console.internal.job;

import org.jspecify.annotations.NullMarked;
