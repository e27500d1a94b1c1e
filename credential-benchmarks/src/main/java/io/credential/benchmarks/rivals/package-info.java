/** The dispatcher against other ways to send webhooks from the transactions of an application. */
@NullMarked
package io.credential.benchmarks.rivals;

import org.jspecify.annotations.NullMarked;
