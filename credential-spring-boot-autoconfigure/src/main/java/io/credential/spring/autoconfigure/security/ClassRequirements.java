package io.credential.spring.autoconfigure.security;

import java.lang.reflect.AnnotatedElement;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

import org.jspecify.annotations.Nullable;
import org.springframework.core.BridgeMethodResolver;
import org.springframework.core.ResolvableType;
import org.springframework.core.annotation.AnnotationUtils;
import org.springframework.core.annotation.MergedAnnotation;
import org.springframework.core.annotation.MergedAnnotations;
import org.springframework.core.annotation.MergedAnnotations.SearchStrategy;
import org.springframework.util.ClassUtils;
import org.springframework.util.ConcurrentReferenceHashMap;
import org.springframework.util.ReflectionUtils;

import io.credential.spring.security.RequiresScope;

/**
 * The scopes that calls on objects of one class need. They depend on that class and not on the class that declares the
 * method which runs: methods of its superclasses and interfaces that have the same name and, seen from the class, the
 * same parameter types are one operation, and what is demanded of one of them is demanded of all. Immutable.
 */
final class ClassRequirements {

    private static final Map<Class<?>, ClassRequirements> BY_CLASS = new ConcurrentReferenceHashMap<>(256);

    private final Class<?> type;
    private final Set<String> ofType;
    private final boolean demandedOfType;
    private final List<Demand> demands = new ArrayList<>();
    private final Map<Operation, Set<String>> ofOperations = new HashMap<>();

    private ClassRequirements(Class<?> type) {
        this.type = type;
        MergedAnnotations ofHierarchy = MergedAnnotations.from(type, SearchStrategy.TYPE_HIERARCHY);
        this.demandedOfType = ofHierarchy.isPresent(RequiresScope.class);
        this.ofType = scopes(ofHierarchy);
        for (Class<?> declaring : hierarchy(type)) {
            for (Method method : ReflectionUtils.getDeclaredMethods(declaring)) {
                add(method);
            }
        }
    }

    /** Those of a class, or of the class behind a generated subclass. */
    static ClassRequirements of(Class<?> type) {
        return BY_CLASS.computeIfAbsent(ClassUtils.getUserClass(type), ClassRequirements::new);
    }

    private void add(Method method) {
        MergedAnnotations annotations = MergedAnnotations.from(method, SearchStrategy.DIRECT);
        if (!annotations.isPresent(RequiresScope.class)) {
            return;
        }
        Set<String> scopes = scopes(annotations);
        demands.add(new Demand(method, scopes));
        if (!Modifier.isPrivate(method.getModifiers()) && !Modifier.isStatic(method.getModifiers())) {
            for (Operation operation : operations(method)) {
                ofOperations.computeIfAbsent(operation, key -> new TreeSet<>()).addAll(scopes);
            }
        }
    }

    /** Whether nothing is demanded, not even wrongly. */
    boolean isEmpty() {
        return !demandedOfType && demands.isEmpty();
    }

    /** Whether the class, or a class or interface above it, demands scopes for all of its methods. */
    boolean isDemandedOfType() {
        return demandedOfType;
    }

    /** What the class, and the classes and interfaces above it, demand for all of its methods. */
    Set<String> ofType() {
        return Collections.unmodifiableSet(ofType);
    }

    /** The methods that carry the annotation themselves, wherever in the hierarchy. */
    List<Demand> demands() {
        return Collections.unmodifiableList(demands);
    }

    /** All scopes that a call of this method needs. */
    Set<String> of(Method method) {
        Set<String> scopes = ofOperation(method);
        // toString() and its like are no operations of the application; loggers and collections call them.
        if (!ReflectionUtils.isObjectMethod(method)) {
            scopes.addAll(ofType);
        }
        return scopes;
    }

    /** The scopes that are demanded of this method in particular, under whichever of its declarations. */
    Set<String> ofOperation(Method method) {
        Set<String> scopes = new TreeSet<>();
        if (!ofOperations.isEmpty()) {
            for (Operation operation : operations(method)) {
                scopes.addAll(ofOperations.getOrDefault(operation, Set.of()));
            }
        }
        return scopes;
    }

    /** Under which signatures the method can be called: as it is compiled, and with type variables replaced. */
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
        if (type != null && AnnotationUtils.isCandidateClass(type, RequiresScope.class) && hierarchy.add(type)) {
            addHierarchy(type.getSuperclass(), hierarchy);
            for (Class<?> above : type.getInterfaces()) {
                addHierarchy(above, hierarchy);
            }
        }
    }

    private static Set<String> scopes(MergedAnnotations annotations) {
        Set<String> scopes = new TreeSet<>();
        annotations.stream(RequiresScope.class)
                .map(annotation -> Arrays.asList(annotation.getStringArray(MergedAnnotation.VALUE)))
                .forEach(scopes::addAll);
        return scopes;
    }

    /** Whether the element itself, or what it inherits from, carries the annotation. */
    static boolean isDemandedOf(AnnotatedElement element) {
        return MergedAnnotations.from(element, SearchStrategy.TYPE_HIERARCHY).isPresent(RequiresScope.class);
    }

    /** The annotation on a method. */
    record Demand(Method method, Set<String> scopes) {}

    private record Operation(String name, List<Class<?>> parameters) {}
}
