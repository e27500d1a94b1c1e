/** Reports audit events to the sink, and counts repeated rejections. */
@NullMarked
package io.credential.audit.internal;

import org.jspecify.annotations.NullMarked;
