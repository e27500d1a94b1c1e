/** Exception handlers for Spring MVC. */
@NullMarked
package io.credential.spring.web;

import org.jspecify.annotations.NullMarked;
