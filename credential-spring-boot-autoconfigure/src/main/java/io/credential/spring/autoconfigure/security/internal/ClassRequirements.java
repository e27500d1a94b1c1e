package io.credential.spring.autoconfigure.security.internal;

import java.lang.reflect.AnnotatedElement;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

import org.jspecify.annotations.Nullable;
import org.springframework.core.BridgeMethodResolver;
import org.springframework.core.KotlinDetector;
import org.springframework.core.ResolvableType;
import org.springframework.core.annotation.MergedAnnotation;
import org.springframework.core.annotation.MergedAnnotations;
import org.springframework.core.annotation.MergedAnnotations.SearchStrategy;
import org.springframework.util.ClassUtils;
import org.springframework.util.ConcurrentReferenceHashMap;
import org.springframework.util.ReflectionUtils;

import io.credential.spring.security.RequiresScope;
import io.credential.spring.security.internal.RequiredScopes;

/**
 * The scopes that calls of one class require. They depend on the class of the object and not on the class that declares
 * the method: methods of the class, its superclasses and its interfaces with the same name and, as seen from the class,
 * the same parameter types are one operation, and scopes required of one of them are required of all. Immutable.
 */
public final class ClassRequirements {

    private static final Map<Class<?>, ClassRequirements> BY_CLASS = new ConcurrentReferenceHashMap<>(256);

    private final Class<?> type;
    private final RequiredScopes ofType;
    private final boolean typeAnnotated;
    private final List<AnnotatedMethod> annotatedMethods = new ArrayList<>();
    private final Map<Operation, RequiredScopes> ofOperations = new HashMap<>();

    private ClassRequirements(Class<?> type) {
        this.type = type;
        boolean annotated = false;
        RequiredScopes required = RequiredScopes.NONE;
        for (Class<?> declaring : hierarchy(type)) {
            MergedAnnotations annotations = MergedAnnotations.from(declaring, SearchStrategy.DIRECT);
            if (annotations.isPresent(RequiresScope.class)) {
                annotated = true;
                required = required.and(scopes(annotations));
            }
            addMethodsOf(declaring);
            companion(declaring).ifPresent(this::addMethodsOf);
        }
        this.typeAnnotated = annotated;
        this.ofType = required;
    }

    /** Returns the requirements of a class, or of the class behind a generated subclass. */
    public static ClassRequirements of(Class<?> type) {
        return BY_CLASS.computeIfAbsent(ClassUtils.getUserClass(type), ClassRequirements::new);
    }

    private void addMethodsOf(Class<?> declaring) {
        List<AnnotatedMethod> annotated = new ArrayList<>();
        for (Method method : ReflectionUtils.getDeclaredMethods(declaring)) {
            MergedAnnotations annotations = MergedAnnotations.from(method, SearchStrategy.DIRECT);
            if (annotations.isPresent(RequiresScope.class)) {
                annotated.add(new AnnotatedMethod(method, scopes(annotations)));
            }
        }
        annotated.stream()
                .filter(method -> annotated.stream().noneMatch(method::isCopyOf))
                .forEach(method -> add(method.method(), method.scopes()));
    }

    private void add(Method method, RequiredScopes scopes) {
        annotatedMethods.add(new AnnotatedMethod(method, scopes));
        if (method.getDeclaringClass().isAssignableFrom(type)
                && !Modifier.isPrivate(method.getModifiers())
                && !Modifier.isStatic(method.getModifiers())) {
            for (Operation operation : operations(method)) {
                ofOperations.merge(operation, scopes, RequiredScopes::and);
            }
        }
    }

    /** Returns whether there is no annotation at all, not even an invalid one. */
    public boolean isEmpty() {
        return !typeAnnotated && annotatedMethods.isEmpty();
    }

    /** Returns whether the class, or a superclass or interface, is annotated. */
    public boolean isTypeAnnotated() {
        return typeAnnotated;
    }

    /** Returns the scopes that the class, its superclasses and its interfaces require of all methods. */
    public RequiredScopes ofType() {
        return ofType;
    }

    /** Returns all scopes that the class and its methods mention, sorted. */
    public Set<String> names() {
        RequiredScopes all = ofType;
        for (AnnotatedMethod method : annotatedMethods) {
            all = all.and(method.scopes());
        }
        return all.names();
    }

    /** Returns the annotated methods of the whole hierarchy, and of the companion objects of Kotlin classes. */
    public List<AnnotatedMethod> annotatedMethods() {
        return Collections.unmodifiableList(annotatedMethods);
    }

    /** Returns all scopes that a call of this method requires. */
    RequiredScopes of(Method method) {
        RequiredScopes scopes = ofOperation(method);
        // Loggers and collections call toString() and other methods of Object.
        return ReflectionUtils.isObjectMethod(method) ? scopes : scopes.and(ofType);
    }

    /** Returns the scopes that are required of this method itself, in any of its declarations. */
    public RequiredScopes ofOperation(Method method) {
        RequiredScopes scopes = RequiredScopes.NONE;
        if (!ofOperations.isEmpty()) {
            for (Operation operation : operations(method)) {
                scopes = scopes.and(ofOperations.getOrDefault(operation, RequiredScopes.NONE));
            }
        }
        return scopes;
    }

    /** Returns the signatures of the method: as compiled, and with type variables resolved. */
    private Set<Operation> operations(Method method) {
        Set<Operation> operations = new LinkedHashSet<>();
        addOperations(method, operations);
        if (method.isBridge()) {
            addOperations(BridgeMethodResolver.getMostSpecificMethod(method, type), operations);
        }
        return operations;
    }

    private void addOperations(Method method, Set<Operation> operations) {
        List<Class<?>> compiled = Arrays.asList(method.getParameterTypes());
        operations.add(new Operation(method.getName(), compiled));
        List<Class<?>> resolved = new ArrayList<>();
        for (int i = 0; i < compiled.size(); i++) {
            @Nullable Class<?> parameter =
                    ResolvableType.forMethodParameter(method, i, type).resolve();
            resolved.add(parameter != null ? parameter : compiled.get(i));
        }
        operations.add(new Operation(method.getName(), resolved));
    }

    private static Set<Class<?>> hierarchy(Class<?> type) {
        Set<Class<?>> hierarchy = new LinkedHashSet<>();
        addHierarchy(type, hierarchy);
        return hierarchy;
    }

    private static void addHierarchy(@Nullable Class<?> type, Set<Class<?>> hierarchy) {
        if (type != null && !isOfFramework(type) && hierarchy.add(type)) {
            addHierarchy(type.getSuperclass(), hierarchy);
            for (Class<?> above : type.getInterfaces()) {
                addHierarchy(above, hierarchy);
            }
        }
    }

    /** Returns whether the JDK or Spring declares a class. Most beans are theirs, and they require no scopes. */
    public static boolean isOfFramework(Class<?> type) {
        return type.getName().startsWith("java.") || type.getName().startsWith("org.springframework.");
    }

    /**
     * Returns the class of the companion object, which is in a static field with its name. Does not load other nested
     * classes, whose libraries may be missing.
     */
    private static Optional<Class<?>> companion(Class<?> type) {
        return KotlinDetector.isKotlinType(type)
                ? Arrays.stream(type.getDeclaredFields())
                        .filter(field -> Modifier.isStatic(field.getModifiers())
                                && field.getName().equals(field.getType().getSimpleName()))
                        .<Class<?>>map(Field::getType)
                        .filter(object -> object.getDeclaringClass() == type)
                        .findFirst()
                : Optional.empty();
    }

    private static RequiredScopes scopes(MergedAnnotations annotations) {
        return annotations.stream(RequiresScope.class)
                .map(annotation -> RequiredScopes.of(
                        Arrays.asList(annotation.getStringArray(MergedAnnotation.VALUE)),
                        Arrays.asList(annotation.getStringArray("anyOf"))))
                .reduce(RequiredScopes.NONE, RequiredScopes::and);
    }

    /** Returns whether the element itself, or what it inherits from, is annotated. */
    public static boolean isAnnotated(AnnotatedElement element) {
        return MergedAnnotations.from(element, SearchStrategy.TYPE_HIERARCHY).isPresent(RequiresScope.class);
    }

    /** A method that is annotated itself. */
    public record AnnotatedMethod(Method method, RequiredScopes scopes) {

        /**
         * Returns whether a compiler generated this method from another one and copied its annotations. Kotlin, for
         * example, generates a static {@code list$suspendImpl}, which takes the object first, from {@code list}. A
         * static method that is not a copy is still rejected, even if a compiler generated it.
         */
        private boolean isCopyOf(AnnotatedMethod other) {
            List<Class<?>> parameters = Arrays.asList(method.getParameterTypes());
            int suffix = method.getName().lastIndexOf('$');
            return method.isSynthetic()
                    && Modifier.isStatic(method.getModifiers())
                    && !Modifier.isStatic(other.method.getModifiers())
                    && suffix > 0
                    && other.method.getName().startsWith(method.getName().substring(0, suffix))
                    && !parameters.isEmpty()
                    && parameters.get(0) == other.method.getDeclaringClass()
                    && parameters.subList(1, parameters.size()).equals(Arrays.asList(other.method.getParameterTypes()))
                    && scopes.equals(other.scopes);
        }
    }

    private record Operation(String name, List<Class<?>> parameters) {}
}
