/** What happened, for whoever must account for it. */
@NullMarked
package io.credential.audit;

import org.jspecify.annotations.NullMarked;
