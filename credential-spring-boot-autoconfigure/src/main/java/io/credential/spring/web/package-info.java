/** What Spring MVC applications may import for their controllers. */
@NullMarked
package io.credential.spring.web;

import org.jspecify.annotations.NullMarked;
