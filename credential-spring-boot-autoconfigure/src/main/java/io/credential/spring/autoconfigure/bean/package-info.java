/** Look-up of beans with which an application replaces a default. */
@NullMarked
package io.credential.spring.autoconfigure.bean;

import org.jspecify.annotations.NullMarked;
