//! Mapping of OpenGL's textures. Between mapping and unmapping a texture belongs to CUDA and has an array; at any other time it
//! belongs to OpenGL and has none. [`while_mapped`] lends the arrays to a closure and unmaps the textures behind it, also where
//! the closure panics; nothing that is lent outlives the closure, and there is no guard that could be leaked.

use std::marker::PhantomData;

/// The driver's calls on registered textures, in the order of a stream.
pub(crate) trait Graphics {
    /// A registered texture.
    type Resource;
    /// Its array, while it is mapped.
    type Array;
    /// Why a call fails.
    type Error;

    /// Gives all of them to CUDA, or none.
    fn map(&self, resources: &mut [Self::Resource]) -> Result<(), Self::Error>;
    /// Gives them back to OpenGL.
    fn unmap(&self, resources: &mut [Self::Resource]) -> Result<(), Self::Error>;
    /// The array of one that is mapped.
    fn array(&self, resource: &Self::Resource) -> Result<Self::Array, Self::Error>;
}

/// Textures that are mapped.
#[derive(Debug)]
pub(crate) struct Mapped<'m, G: Graphics> {
    graphics: &'m G,
    resources: &'m [G::Resource],
}

/// The array of a texture that is mapped for `'m`.
#[derive(Debug)]
pub(crate) struct MappedArray<'m, A> {
    array: A,
    mapping: PhantomData<&'m ()>,
}

impl<A: Copy> MappedArray<'_, A> {
    /// The driver's own handle, which is good for nothing after the mapping.
    pub(crate) fn handle(&self) -> A {
        self.array
    }
}

impl<G: Graphics> Mapped<'_, G> {
    /// The array of texture `index`; `None` where there are not so many.
    pub(crate) fn array(&self, index: usize) -> Option<Result<MappedArray<'_, G::Array>, G::Error>> {
        let array = self.graphics.array(self.resources.get(index)?);
        Some(array.map(|array| MappedArray { array, mapping: PhantomData }))
    }
}

/// What work with mapped textures gave, and whether the textures were unmapped.
#[derive(Debug, PartialEq)]
pub(crate) struct Worked<T, E> {
    /// The result of the work.
    pub(crate) result: T,
    /// The result of unmapping.
    pub(crate) unmapped: Result<(), E>,
}

/// Maps `resources`, does `work` with them and unmaps them.
///
/// # Errors
/// Where they are not mapped; `work` is not done then.
pub(crate) fn while_mapped<G: Graphics, T>(
    graphics: &G,
    resources: &mut [G::Resource],
    work: impl FnOnce(&Mapped<'_, G>) -> T,
) -> Result<Worked<T, G::Error>, G::Error> {
    graphics.map(resources)?;
    let mut mapping = Mapping { graphics, resources, is_over: false };
    let result = work(&Mapped { graphics: mapping.graphics, resources: mapping.resources });
    let unmapped = mapping.end();
    Ok(Worked { result, unmapped })
}

/// Unmaps once: when it ends, or when a panic drops it.
struct Mapping<'a, G: Graphics> {
    graphics: &'a G,
    resources: &'a mut [G::Resource],
    is_over: bool,
}

impl<G: Graphics> Mapping<'_, G> {
    fn end(&mut self) -> Result<(), G::Error> {
        self.is_over = true;
        self.graphics.unmap(self.resources)
    }
}

impl<G: Graphics> Drop for Mapping<'_, G> {
    fn drop(&mut self) {
        if !self.is_over {
            // A panic is on its way, which says more than this could.
            let _ = self.end();
        }
    }
}

#[cfg(test)]
mod tests {
    use std::cell::{Cell, RefCell};
    use std::panic::{AssertUnwindSafe, catch_unwind};

    use super::*;

    /// A driver that notes its calls, and answers with an error where it is told to.
    #[derive(Default)]
    struct Fake {
        calls: RefCell<Vec<&'static str>>,
        is_mapped: Cell<bool>,
        fails_at: Option<&'static str>,
    }

    impl Fake {
        fn call(&self, name: &'static str, mapped: bool) -> Result<(), String> {
            self.calls.borrow_mut().push(name);
            if self.fails_at == Some(name) {
                return Err(format!("{name} fails"));
            }
            self.is_mapped.set(mapped);
            Ok(())
        }
    }

    impl Graphics for Fake {
        type Resource = u32;
        type Array = u32;
        type Error = String;

        fn map(&self, _: &mut [u32]) -> Result<(), String> {
            assert!(!self.is_mapped.get(), "mapped twice");
            self.call("map", true)
        }

        fn unmap(&self, _: &mut [u32]) -> Result<(), String> {
            assert!(self.is_mapped.get(), "unmapped twice");
            self.call("unmap", false)
        }

        fn array(&self, resource: &u32) -> Result<u32, String> {
            assert!(self.is_mapped.get(), "an array of what is not mapped");
            self.call("array", true).map(|()| 10 * resource)
        }
    }

    /// The array of a texture, where it is mapped.
    type ArrayOf = Option<Result<u32, String>>;

    /// The arrays of three textures, the third of which is not mapped.
    fn arrays(fake: &Fake) -> Result<Worked<Vec<ArrayOf>, String>, String> {
        while_mapped(fake, &mut [1, 2], |mapped| {
            let handle = |array: Result<MappedArray<'_, u32>, String>| array.map(|array| array.handle());
            (0..3).map(|index| mapped.array(index).map(handle)).collect()
        })
    }

    #[test]
    fn arrays_are_lent_between_mapping_and_unmapping() {
        let fake = Fake::default();
        assert_eq!(arrays(&fake), Ok(Worked { result: vec![Some(Ok(10)), Some(Ok(20)), None], unmapped: Ok(()) }));
        assert_eq!(*fake.calls.borrow(), ["map", "array", "array", "unmap"]);
    }

    #[test]
    fn textures_that_do_not_map_are_neither_used_nor_unmapped() {
        let fake = Fake { fails_at: Some("map"), ..Fake::default() };
        assert_eq!(arrays(&fake), Err("map fails".to_owned()));
        assert_eq!(*fake.calls.borrow(), ["map"]);
    }

    #[test]
    fn textures_are_unmapped_once_where_an_array_or_unmapping_fails() {
        let fake = Fake { fails_at: Some("array"), ..Fake::default() };
        let Worked { result, unmapped } = arrays(&fake).expect("textures that map");
        assert_eq!(result[0], Some(Err("array fails".to_owned())));
        assert_eq!(unmapped, Ok(()));
        assert_eq!(fake.calls.borrow().last(), Some(&"unmap"));
        let fake = Fake { fails_at: Some("unmap"), ..Fake::default() };
        assert_eq!(arrays(&fake).expect("textures that map").unmapped, Err("unmap fails".to_owned()));
        assert_eq!(fake.calls.borrow().iter().filter(|call| **call == "unmap").count(), 1);
    }

    #[test]
    fn textures_are_unmapped_where_the_work_panics() {
        let fake = Fake::default();
        let work = || while_mapped(&fake, &mut [1], |_| panic!("a panel that panics"));
        let caught = catch_unwind(AssertUnwindSafe(|| {
            work().map(|last_kernel_time: Worked<(), String>| last_kernel_time.result)
        }));
        assert!(caught.is_err());
        assert_eq!(*fake.calls.borrow(), ["map", "unmap"]);
        assert!(!fake.is_mapped.get());
    }
}
