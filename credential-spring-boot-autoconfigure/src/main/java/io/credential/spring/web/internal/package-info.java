/** Problem responses, and what controller arguments share. */
@NullMarked
package io.credential.spring.web.internal;

import org.jspecify.annotations.NullMarked;
